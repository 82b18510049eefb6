package parse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Goroutine profiles as protobuf: profile.proto of github.com/google/pprof, as
// /debug/pprof/goroutine and "consul debug" (goroutine.prof) write it, gzip
// around it. The sample type is goroutine/count, or goroutineleak/count.

const (
	// maxProfile is the largest protobuf that is read: it has to be in memory
	// whole, since the names stand at its end.
	maxProfile     = 64 << 20
	maxProfileCost = 256 << 20 // memory that decoding may take; see protoCost
)

// errOtherProfile is the error for profiles of something else.
type errOtherProfile struct{ what string }

func (e errOtherProfile) Error() string {
	return "a profile of " + e.what + ", not of goroutines"
}

// looksLikeProfile tells a decompressed profile.proto from its first bytes. The
// message has no magic; but writers begin with a ValueType, which is field 11
// (runtime/pprof: period_type) or field 1 (sample_type), and whose two fields
// are varints: text cannot look like that.
func looksLikeProfile(data []byte) bool {
	if len(data) < 4 || data[0] != 0x0a && data[0] != 0x5a {
		return false
	}
	n, k := binary.Uvarint(data[1:])
	if k <= 0 || n < 2 || n > 24 || len(data) < 1+k+int(n) {
		return false
	}
	body, rest := data[1+k:1+k+int(n)], data[1+k+int(n):]
	fields := 0
	for len(body) > 0 {
		if body[0] != 0x08 && body[0] != 0x10 {
			return false
		}
		v, k := binary.Uvarint(body[1:])
		if k <= 0 || v > 1<<31 {
			return false
		}
		body = body[1+k:]
		fields++
	}
	if fields == 0 || fields > 2 {
		return false
	}
	if len(rest) == 0 {
		return true
	}
	field, wire := rest[0]>>3, rest[0]&7
	return field >= 1 && field <= 15 && (wire == 0 || wire == 2)
}

// protoCost walks the top level of a profile.proto and estimates what decoding
// it takes in memory: a hostile one spends two bytes on a structure of a
// hundred. ok is false when it is not well-formed.
func protoCost(data []byte) (cost int, ok bool) {
	for len(data) > 0 {
		tag, k := binary.Uvarint(data)
		if k <= 0 {
			return cost, false
		}
		data = data[k:]
		cost += 16
		switch tag & 7 {
		case 0:
			_, k := binary.Uvarint(data)
			if k <= 0 {
				return cost, false
			}
			data = data[k:]
		case 1:
			if len(data) < 8 {
				return cost, false
			}
			data = data[8:]
		case 5:
			if len(data) < 4 {
				return cost, false
			}
			data = data[4:]
		case 2:
			n, k := binary.Uvarint(data)
			if k <= 0 || n > uint64(len(data)-k) {
				return cost, false
			}
			if tag>>3 == 6 { // the string table
				cost += int(n)
			} else {
				cost += 144 + 24*int(n)
			}
			data = data[k+int(n):]
		default:
			return cost, false
		}
	}
	return cost, true
}

// parseProto reads a protobuf profile, without its gzip. The error is
// errOtherProfile for a profile that is none of goroutines.
//
// The frames are those that the text form prints: without leading runtime
// functions and runtime.goexit, and with [...] for type arguments, so that both
// forms of one profile give the same buckets.
func parseProto(name string, data []byte) (in *Incident, err error) {
	defer func() {
		// A stranger's bytes must not end the program by a fault of the library.
		if r := recover(); r != nil {
			in, err = nil, fmt.Errorf("decoding the profile: %v", r)
		}
	}()
	cost, ok := protoCost(data)
	switch {
	case !ok:
		return nil, errors.New("the profile is cut off or damaged")
	case cost > maxProfileCost:
		return nil, fmt.Errorf("the profile is too large to be one of goroutines (%s)", byteSize(int64(len(data))))
	}
	p, err := profile.ParseUncompressed(data)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("decoding the profile: %w", err)
	}
	value, leaked := -1, false
	var types []string
	for i, t := range p.SampleType {
		switch t.Type {
		case "goroutine", "goroutines":
			value = i
		case "goroutineleak":
			value, leaked = i, true
		}
		types = append(types, t.Type)
	}
	if value < 0 {
		if len(types) == 0 {
			return nil, errOtherProfile{"nothing"}
		}
		return nil, errOtherProfile{strings.Join(types[:min(len(types), 4)], ", ")}
	}
	return protoIncident(name, p, value, leaked)
}

func protoIncident(name string, p *profile.Profile, value int, leaked bool) (*Incident, error) {
	in := &Incident{Kind: KindGoroutineProfile, Died: No, Count: 1, Source: name}
	// A time before Go or far ahead is no time.
	if t := time.Unix(0, p.TimeNanos).UTC(); t.Year() >= 2009 && t.Year() < 2100 {
		in.FirstTime, in.LastTime = t, t
	}
	stacks := make(map[string]*Bucket)
	var key []byte
	var frames []Frame
	over := 0
	for _, s := range p.Sample {
		n := s.Value[value]
		if n < 0 {
			return nil, errOtherProfile{"a difference (its counts fall below zero)"}
		}
		if n > 1<<40 {
			return nil, fmt.Errorf("a sample counts %d goroutines", n)
		}
		if n == 0 {
			continue
		}
		in.Goroutines += int(n)
		frames = protoFrames(frames[:0], s)
		key = key[:0]
		for i := range frames {
			f := &frames[i]
			key = append(key, f.Function...)
			key = append(key, '\n')
			if f.File != "" {
				key = append(key, f.File...)
				key = append(key, ':')
				key = strconv.AppendInt(key, int64(f.Line), 10)
			}
			key = append(key, '\n')
		}
		b := stacks[string(key)]
		if b == nil {
			if len(stacks) >= maxProfileStacks {
				over += int(n)
				continue
			}
			b = &Bucket{ID: stackID(string(key)), Frames: slices.Clone(frames)}
			for i := range b.Frames {
				annotate(&b.Frames[i])
			}
			stacks[string(key)] = b
			in.Buckets = append(in.Buckets, b)
		}
		b.Count += int(n)
		if leaked {
			b.Leaked = b.Count
		}
		if l := protoLabels(s); l != "" && len(b.Labels) < keptLabels && !slices.Contains(b.Labels, l) {
			b.Labels = append(b.Labels, l)
		}
	}
	slices.SortStableFunc(in.Buckets, func(a, b *Bucket) int { return b.Count - a.Count })
	if over > 0 {
		in.Buckets = append(in.Buckets, &Bucket{ID: stackID(""), Count: over})
		in.Truncated = fmt.Sprintf("over %d distinct stacks: %d goroutines are counted without their frames", maxProfileStacks, over)
	}
	return in, nil
}

// protoFrames appends a sample's frames, innermost first, inlined calls each as its own.
func protoFrames(frames []Frame, s *profile.Sample) []Frame {
	for pass := range 2 { // the second, when only runtime functions are there, keeps them
		show := pass == 1
		for _, loc := range s.Location {
			if len(loc.Line) == 0 {
				frames = append(frames, Frame{Function: "??"})
				show = true
			}
			for _, l := range loc.Line {
				if l.Function == nil || l.Function.Name == "" {
					frames = append(frames, Frame{Function: "??"})
					show = true
					continue
				}
				name := l.Function.Name
				if name == "runtime.goexit" || !show && (strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/")) {
					continue
				}
				show = true
				if len(frames) < maxProfileFrames {
					frames = append(frames, Frame{Function: elideTypeArguments(name), File: l.Function.Filename, Line: int(l.Line)})
				}
			}
		}
		if len(frames) > 0 {
			break
		}
	}
	return frames
}

// elideTypeArguments writes [...] for type arguments, as all texts of the
// runtime do; the protobuf has them in full: [go.shape.int,go.shape.string].
func elideTypeArguments(name string) string {
	if !strings.Contains(name, "[") {
		return name
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '[':
			if depth == 0 {
				b.WriteString("[...]")
			}
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	if depth > 0 {
		return name
	}
	return b.String()
}

// protoLabels writes a sample's labels as the text form does.
func protoLabels(s *profile.Sample) string {
	if len(s.Label) == 0 {
		return ""
	}
	pairs := make([]string, 0, len(s.Label))
	for k, vs := range s.Label {
		for _, v := range vs {
			pairs = append(pairs, strconv.Quote(k)+":"+strconv.Quote(v))
		}
	}
	slices.Sort(pairs)
	return "{" + strings.Join(pairs, ", ") + "}"
}
