package sparselin

import (
	"os"
	"strings"
	"syscall"

	"sparselin.org/sparselin/bindings/go/internal/slc"
)

// A Status says why a call failed. Each is an error of its own, to be asked for with errors.Is(err, sparselin.ErrDiverged).
type Status int32

// What can become of a call, beside success.
const (
	ErrInvalidArgument Status = 1 // slices whose lengths do not fit, row pointers that do not ascend, a closed model
	ErrInvalidOption   Status = 2 // an unknown option name, a value out of range, options that exclude each other
	ErrInvalidData     Status = 3 // a NaN, an infinity, a negative weight, a label the loss cannot take, an index out of range
	ErrState           Status = 4 // not now: the message says what has to come first
	ErrOutOfMemory     Status = 5
	ErrIO              Status = 6  // the message holds the system's reason, which errors.Is finds, too: fs.ErrNotExist, syscall.ENOSPC
	ErrFormat          Status = 7  // not a file of this library, a damaged one, or a malformed line of text
	ErrVersion         Status = 8  // written by a newer version of the library
	ErrDiverged        Status = 9  // the step would bring a weight beyond what a float64 can hold
	ErrCancelled       Status = 10 // seen as the errors of the context instead
	ErrInternal        Status = 11 // a bug in the library; please report it with the message
)

// String returns the name of the status in C, such as SL_ERROR_IO.
func (s Status) String() string { return slc.Status_name(int32(s)) }

// Error returns the name of the status in words.
func (s Status) Error() string {
	return "sparselin: " + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.String(), "SL_ERROR_")), "_", " ")
}

// An Error is what every function of this package fails with.
type Error struct {
	Status  Status
	Message string // one line that names the value and the place
	Row     int64  // the row, from 0, of the matrix or data set that is at fault, with which the message begins; -1 if there is none
	cause   error
}

func (e *Error) Error() string { return "sparselin: " + e.Message }

// Is tells whether target is the error's Status.
func (e *Error) Is(target error) bool { return target == error(e.Status) }

// Unwrap returns the system's syscall.Errno, the error of the reader that failed, os.ErrClosed for what has been closed, or nil.
func (e *Error) Unwrap() error { return e.cause }

// failed returns an error that is about no row.
func failed(status Status, message string, cause error) *Error {
	return &Error{Status: status, Message: message, Row: -1, cause: cause}
}

func closed(what string) error {
	return failed(ErrInvalidArgument, "the "+what+" is closed", os.ErrClosed)
}

// What the library's messages tell to call, by the name that it has here. Of two that begin alike the longer one comes first.
var calls = strings.NewReplacer(
	"sl_encoder_create", "NewEncoder", "sl_model_create", "New",
	"sl_model_class_bias", "ClassBias", "sl_model_class_labels", "ClassLabels",
	"sl_model_class_nonzeros", "ClassWeights", "sl_model_class_weight", "ClassWeight",
	"sl_model_predicted_labels", "PredictedLabels", "sl_model_probabilities", "Probabilities",
	"sl_model_scores_csr", "ScoresCSR", "sl_model_scores_dataset", "ScoresDataset", "sl_model_scores_rows", "ScoresDataset",
	"sl_model_scores", "Scores", "sl_model_set_encoder", "SetEncoder", "sl_model_set_labels", "SetLabels")

// taken returns what has become of a call, and makes f ready for the next.
func taken(f *slc.Failure) error {
	if f.Status() == 0 {
		return nil
	}
	err := &Error{Status: Status(f.Status()), Message: calls.Replace(f.Message()), Row: f.Row()}
	if err.Status == ErrIO && f.System() != 0 {
		err.cause = syscall.Errno(f.System())
	}
	f.Clear()
	return err
}
