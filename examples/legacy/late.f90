! Which deliveries will be late, learned from eight that have been. A delivery is two features, its carrier (0 to 2) and its weekday
! (10 to 14).
!     gfortran late.f90 -lsparselin
module sparselin
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(c) :: sl_error
    integer(c_int) :: status
    integer(c_int64_t) :: row
    character(kind=c_char) :: message(256)
  end type

  interface
    integer(c_int) function sl_model_create(options, model, error) bind(c)
      import :: c_int, c_ptr, sl_error
      type(c_ptr), value :: options
      type(c_ptr) :: model
      type(sl_error) :: error
    end function

    integer(c_int) function sl_model_feed(model, indices, values, count, label, weight, error) bind(c)
      import :: c_int, c_int32_t, c_size_t, c_double, c_ptr, sl_error
      type(c_ptr), value :: model, values
      integer(c_int32_t), intent(in) :: indices(*)
      integer(c_size_t), value :: count
      real(c_double), value :: label, weight
      type(sl_error) :: error
    end function

    integer(c_int) function sl_model_predict(model, indices, values, count, score, error) bind(c)
      import :: c_int, c_int32_t, c_size_t, c_double, c_ptr, sl_error
      type(c_ptr), value :: model, values
      integer(c_int32_t), intent(in) :: indices(*)
      integer(c_size_t), value :: count
      real(c_double) :: score
      type(sl_error) :: error
    end function

    integer(c_int) function sl_model_probability(model, score, probability, error) bind(c)
      import :: c_int, c_double, c_ptr, sl_error
      type(c_ptr), value :: model
      real(c_double), value :: score
      real(c_double) :: probability
      type(sl_error) :: error
    end function

    subroutine sl_model_free(model) bind(c)
      import :: c_ptr
      type(c_ptr), value :: model
    end subroutine
  end interface
end module

program late
  use sparselin
  implicit none
  integer(c_int32_t), parameter :: deliveries(2, 8) = reshape([0, 10, 1, 11, 2, 12, 0, 13, 1, 14, 2, 10, 0, 11, 1, 12], [2, 8])
  real(c_double), parameter :: is_late(8) = [1, -1, 1, 1, -1, -1, 1, -1]
  type(c_ptr) :: model
  type(sl_error) :: error
  real(c_double) :: score, probability
  integer :: pass, row

  call check(sl_model_create(c_null_ptr, model, error))
  do pass = 1, 20
    do row = 1, 8
      call check(sl_model_feed(model, deliveries(:, row), c_null_ptr, 2_c_size_t, is_late(row), 1.0_c_double, error))
    end do
  end do
  call check(sl_model_predict(model, [0, 12], c_null_ptr, 2_c_size_t, score, error))
  call check(sl_model_probability(model, score, probability, error))
  print '("The next delivery is late with a chance of ", i0, " %")', int(100 * probability)
  call sl_model_free(model)

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    integer :: length
    if (status == 0) return
    length = findloc(error%message, c_null_char, 1) - 1
    print '(256a)', error%message(:length)
    stop 1
  end subroutine
end program
