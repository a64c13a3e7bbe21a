module example.com/mail

go 1.19

require sparselin.org/sparselin v1.0.0

replace sparselin.org/sparselin => ../../..
