library(testthat)
library(sparselin)

test_check("sparselin")
