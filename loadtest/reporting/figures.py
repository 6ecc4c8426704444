"""Numbers as wrk2's console writes them, to the last digit.

wrk2 computes in long doubles of 64 bits and rounds what it shows half to even. The same is done here in fractions:
doubles would show another last digit where a value is close to the middle of two.
"""

import re
from fractions import Fraction

_MICROS = {"us": 1, "ms": 1000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
_BYTES = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4, "PB": 1024**5}
# 2^63 microseconds are longer than any run; texts longer than this are not numbers of wrk2.
_DIGITS_MAX = 24
NONE = "–"


def long_double(value):
    """The long double nearest to a fraction, as a fraction."""
    if value == 0:
        return value
    shift = 64 - (abs(value.numerator).bit_length() - value.denominator.bit_length())
    scaled = value * Fraction(2) ** shift
    if abs(scaled) >= 2**64:
        shift, scaled = shift - 1, scaled / 2
    return Fraction(round(scaled)) / Fraction(2) ** shift


def decimals(value, digits=2):
    """A fraction with so many decimals."""
    whole = round(abs(value) * 10**digits)
    sign = "-" if value < 0 and whole else ""
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def _scaled(value, scale, base, units):
    # The limit is a double in wrk2 as well: 0.85 is none that a fraction could be.
    limit, unit = Fraction(scale * 0.85), base
    for larger in units:
        if value < limit:
            break
        value, unit = long_double(value / scale), larger
    return decimals(value) + unit


def time(micros):
    """Microseconds as in `1.04ms`."""
    if micros is None:
        return NONE
    value = Fraction(micros)
    if value >= 1_000_000:
        # wrk2 has hours and seconds in these lists too, but stops one short of their ends.
        return _scaled(long_double(value / 1_000_000), 60, "s", ["m"])
    return _scaled(value, 1000, "us", ["ms"])


def binary(count):
    """Bytes as in `9.27MB`."""
    return NONE if count is None else _scaled(Fraction(count), 1024, "", ["K", "M", "G", "T"]) + "B"


def rate(requests, micros):
    """Requests a second as in `1999.80`."""
    if not micros:
        return NONE
    # The seconds are a double in wrk2; only what is divided by them has the long mantissa.
    return decimals(long_double(Fraction(requests) / Fraction(micros / 1_000_000)))


def _read(text, units, what):
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([A-Za-z]+)", text)
    if not found or found[2] not in units or len(text) > _DIGITS_MAX:
        raise ValueError(f"'{text}' is no {what}")
    return float(Fraction(found[1]) * units[found[2]])


def read_time(text):
    """The microseconds of a text such as `1.04ms`."""
    return _read(text, _MICROS, "time such as 50ms")


def read_binary(text):
    """The bytes of a text such as `9.27MB`."""
    return _read(text, _BYTES, "number of bytes such as 9.27MB")


def short_time(micros):
    """Microseconds for readers, where wrk2 has no format: three digits."""
    if micros is None:
        return NONE
    for unit in ("us", "ms", "s"):
        if micros < 999.5 * _MICROS[unit] or unit == "s":
            return f"{micros / _MICROS[unit]:.3g} {unit}"
    return NONE
