package report

// sarifRoot is the base of the names of logs. GitHub takes relative names to be below the
// repository's root.
const sarifRoot = "%SRCROOT%"

// The part of SARIF 2.1.0 that is written, by the names of its specification:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool            `json:"tool"`
		AutomationDetails  sarifID              `json:"automationDetails"`
		OriginalURIBaseIDs map[string]sarifBase `json:"originalUriBaseIds"`
		ColumnKind         string               `json:"columnKind"`
		Invocations        []sarifInvocation    `json:"invocations"`
		Results            []sarifResult        `json:"results"`
	}
	sarifID struct {
		ID string `json:"id"`
	}
	sarifBase struct {
		Description sarifString `json:"description"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string         `json:"name"`
		Version        string         `json:"version,omitempty"`
		InformationURI string         `json:"informationUri"`
		Rules          []sarifRule    `json:"rules"`
		Properties     map[string]any `json:"properties"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Short      sarifString    `json:"shortDescription"`
		Full       sarifString    `json:"fullDescription"`
		Help       sarifString    `json:"help"`
		HelpURI    string         `json:"helpUri,omitempty"`
		Config     sarifConfig    `json:"defaultConfiguration"`
		Properties map[string]any `json:"properties"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifString struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifString        `json:"message"`
		Locations           []sarifLocation    `json:"locations"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		OccurrenceCount     int                `json:"occurrenceCount,omitempty"`
		Stacks              []sarifStack       `json:"stacks,omitempty"`
		CodeFlows           []sarifCodeFlow    `json:"codeFlows,omitempty"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
		Properties          map[string]any     `json:"properties"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifString   `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact *sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion   `json:"region,omitempty"`
		Context  *sarifRegion   `json:"contextRegion,omitempty"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name     string `json:"name"`
		FullName string `json:"fullyQualifiedName"`
		Kind     string `json:"kind"`
	}
	sarifStack struct {
		Message sarifString  `json:"message"`
		Frames  []sarifFrame `json:"frames"`
	}
	sarifFrame struct {
		Location sarifLocation `json:"location"`
		Module   string        `json:"module,omitempty"`
	}
	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation `json:"location"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifString     `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
)
