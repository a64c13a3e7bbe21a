module sparselin.org/sparselin

go 1.19
