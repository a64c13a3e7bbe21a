# Writes elementary.txt, with mpmath: python3 tests/data/make_elementary.py >tests/data/elementary.txt
import math
import random

from mpmath import exp, ldexp, log, log1p, frexp, mp, mpf, nint

mp.prec = 300
draw = random.Random(7)


def nearest(x):
    if x == 0:
        return 0.0
    mantissa, exponent = frexp(x)
    bits = max(0, min(53, exponent + 1074))
    return math.ldexp(int(nint(ldexp(mantissa, bits))), int(exponent) - bits) if exponent <= 1024 else math.inf


def write(name, x, y, value):
    print(name, float(x).hex(), float(y).hex(), float(nearest(value)).hex())


print("# exp(x), log(1 + x) and x^y of doubles, from 300 binary digits rounded to the nearest double: function, x, y, value.")
xs = [0.0, 5e-324, -1e-300, 1e-17, -1e-17, 1.0, -1.0, 700.0, 709.782712893384, 710.0, -708.4, -709.0, -740.0, -745.1332191019411, -745.2]
xs += [draw.uniform(-bound, bound) for bound in (2, 40, 709) for _ in range(60)]
xs += [draw.uniform(-745, -708) for _ in range(20)] + [-(2.0 ** draw.uniform(-40, 0)) for _ in range(30)]
for x in xs:
    write("exp", x, 0, exp(mpf(x)))
xs = [0.0, 5e-324, 1e-300, 2.0**-53, 2.0**-52, 1.0, 2.0, 1e15, 1e16, 1e300]
xs += [2.0 ** draw.uniform(*bounds) for bounds in ((-60, 0), (-4, 0), (0, 12), (12, 1000)) for _ in range(50)]
for x in xs:
    write("log1p", x, 0, log1p(mpf(x)))
pairs = [(1.0, -0.7), (2.0, -0.5), (2.0, 0.0), (1e300, 2.0), (1e300, -1.5), (3.0, -1e-30)]
pairs += [(1 + draw.uniform(0, 10), -draw.uniform(0, 2)) for _ in range(60)]
pairs += [(float(draw.randrange(1, 10**7)), -draw.choice((2 / 3, 0.9, 0.6, 0.25))) for _ in range(80)]
pairs += [(2.0 ** draw.uniform(0, 60), -draw.uniform(0, 16)) for _ in range(50)]
for x, y in pairs:
    write("pow", x, y, exp(mpf(y) * log(mpf(x))))
