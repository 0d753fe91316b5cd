// Judges with Porcupine whether each list of a history is linearizable.
//
//	porcupine history.jsonl
//
// The history is in Jepsen's format, one operation a line; each transaction is one append to a list or one read of it. A
// line "KEY Illegal" is printed for each list that is not linearizable, and "KEY Unknown" for each that took too long.
//
// The exit code is 0 if all lists are linearizable, 1 if one is not, 2 if the history cannot be read, and 3 if there was
// no time to judge one and none was found that is not linearizable.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const limitPerList = 30 * time.Second

// One line of a history.
type line struct {
	Type    string            `json:"type"`
	Process *int64            `json:"process"`
	Time    *int64            `json:"time"`
	F       string            `json:"f"`
	Value   []json.RawMessage `json:"value"`
}

// A transaction of one step.
type transaction struct {
	process    int64
	begin, end int64
	outcome    string
	list       int64
	appends    bool
	element    int64
	read       []int64 // nil if there is no answer
}

// A list is a string, in which a space comes before each element.
var model = porcupine.Model{
	Init: func() interface{} { return "" },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		if element, appends := input.(int64); appends {
			return true, show(state.(string), element)
		}
		return state == output, state
	},
}

func show(before string, elements ...int64) string {
	var list strings.Builder
	list.WriteString(before)
	for _, element := range elements {
		fmt.Fprintf(&list, " %d", element)
	}
	return list.String()
}

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: porcupine history.jsonl"))
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		fail(err)
	}
	defer file.Close()
	transactions, err := read(file)
	if err != nil {
		fail(fmt.Errorf("%s, %w", os.Args[1], err))
	}
	byList := operations(transactions)
	keys := make([]int64, 0, len(byList))
	for key := range byList {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(one, other int) bool { return keys[one] < keys[other] })
	code := 0
	for _, key := range keys {
		switch result := porcupine.CheckOperationsTimeout(model, byList[key], limitPerList); result {
		case porcupine.Illegal:
			fmt.Println(key, result)
			code = 1
		case porcupine.Unknown:
			fmt.Println(key, result)
			if code == 0 {
				code = 3
			}
		}
	}
	os.Exit(code)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// Puts what took effect, as far as anyone saw, under its list.
//
// An append of unknown outcome is kept if a read that succeeded shows its element, and may then take effect at any time
// after its begin: Porcupine needs an end, and gets the last time there is. Otherwise it is left out, which changes no
// verdict: an element stays in its list, so if it was appended at all, every read came before, and without it the same
// order explains the history. A failed append is left out in any case, so that no state explains a read of its element.
func operations(transactions []*transaction) map[int64][]porcupine.Operation {
	type element struct{ list, value int64 }
	seen := map[element]bool{}
	for _, one := range transactions {
		if !one.appends && one.outcome == "ok" {
			for _, value := range one.read {
				seen[element{one.list, value}] = true
			}
		}
	}
	byList := map[int64][]porcupine.Operation{}
	for _, one := range transactions {
		operation := porcupine.Operation{ClientId: int(one.process), Call: one.begin, Return: one.end}
		switch {
		case one.outcome == "ok" && !one.appends:
			operation.Output = show("", one.read...)
		case one.outcome == "ok":
			operation.Input = one.element
		case one.outcome == "info" && one.appends && seen[element{one.list, one.element}]:
			operation.Input = one.element
			operation.Return = math.MaxInt64
		default:
			continue
		}
		byList[one.list] = append(byList[one.list], operation)
	}
	return byList
}

// Reads a history. A transaction without an end is one of unknown outcome.
func read(history io.Reader) ([]*transaction, error) {
	var transactions []*transaction
	begun := map[int64]*transaction{}
	lines := bufio.NewScanner(history)
	lines.Buffer(nil, 1<<24)
	number := 0
	for lines.Scan() {
		number++
		var at line
		if err := json.Unmarshal(lines.Bytes(), &at); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if at.Process == nil || at.Time == nil || at.F != "txn" {
			return nil, fmt.Errorf("line %d has no process, no time, or an f that is not txn", number)
		}
		one, err := parse(at.Value)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		before, open := begun[*at.Process]
		switch at.Type {
		case "invoke":
			if open {
				return nil, fmt.Errorf("line %d: process %d has not ended its transaction before", number, *at.Process)
			}
			one.process, one.begin, one.outcome = *at.Process, *at.Time, "info"
			begun[*at.Process] = one
			transactions = append(transactions, one)
		case "ok", "fail", "info":
			if !open || before.list != one.list || before.appends != one.appends || before.element != one.element {
				return nil, fmt.Errorf("line %d: process %d has not begun this transaction", number, *at.Process)
			}
			if *at.Time < before.begin {
				return nil, fmt.Errorf("line %d: the transaction ends before it begins", number)
			}
			if at.Type == "ok" && !one.appends && one.read == nil {
				return nil, fmt.Errorf("line %d: a read that succeeded has no elements", number)
			}
			before.outcome, before.end, before.read = at.Type, *at.Time, one.read
			delete(begun, *at.Process)
		default:
			return nil, fmt.Errorf("line %d: unknown type %q", number, at.Type)
		}
	}
	if number == 0 {
		return nil, errors.New("which is empty")
	}
	return transactions, lines.Err()
}

// Reads the one step of a transaction: ["append",list,element], ["r",list,null] or ["r",list,[elements]].
func parse(steps []json.RawMessage) (*transaction, error) {
	if len(steps) != 1 {
		return nil, fmt.Errorf("a transaction must have one step, and not %d", len(steps))
	}
	var parts []json.RawMessage
	var kind string
	if err := json.Unmarshal(steps[0], &parts); err != nil {
		return nil, err
	}
	if len(parts) != 3 {
		return nil, fmt.Errorf("a step must have three parts, and not %d", len(parts))
	}
	one := &transaction{}
	if err := errors.Join(json.Unmarshal(parts[0], &kind), json.Unmarshal(parts[1], &one.list)); err != nil {
		return nil, err
	}
	switch kind {
	case "append":
		one.appends = true
		return one, json.Unmarshal(parts[2], &one.element)
	case "r":
		return one, json.Unmarshal(parts[2], &one.read)
	default:
		return nil, fmt.Errorf("unknown step %q", kind)
	}
}
