// The part of Go in cross.sh.
package main

import (
	"context"
	"encoding/binary"
	"log"
	"os"

	sparselin "sparselin.org/sparselin/bindings/go"
)

func main() {
	if os.Args[1] == "train" {
		model, err := sparselin.New(sparselin.With("l1", 1e-4), sparselin.With("epochs", 2))
		ok(err)
		data, err := sparselin.LoadDataset(os.Args[2])
		ok(err)
		ok(model.Fit(context.Background(), data, nil))
		ok(model.Save(os.Args[3]))
		return
	}
	model, err := sparselin.Load(os.Args[2])
	ok(err)
	data, err := sparselin.LoadDataset(os.Args[3])
	ok(err)
	scores, err := model.PredictDataset(data, nil)
	ok(err)
	out, err := os.Create(os.Args[4])
	ok(err)
	ok(binary.Write(out, binary.LittleEndian, scores))
	ok(out.Close())
}

func ok(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
