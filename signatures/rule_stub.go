package signatures

type rule struct{}

type familyMatch struct{}
