"""Kernels over rows, columns and elements in Triton."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def saxpy(x, y, n, a, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y + i, a * tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def silu_gate(h, g, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(h + i, mask=m).to(tl.float32)
    w = tl.load(g + i, mask=m).to(tl.float32)
    tl.store(out + i, (v * tl.sigmoid(v) * w).to(tl.float16), mask=m)


@triton.jit
def random_drop(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, tl.load(x + i, mask=m) / (1 - p), 0.0), mask=m)


@triton.jit
def rotate_pairs(x, cos, sin, heads, HALF: tl.constexpr):
    t = tl.program_id(0)
    h = tl.program_id(1)
    d = tl.arange(0, HALF)
    base = x + (t * heads + h) * 2 * HALF
    c = tl.load(cos + t * HALF + d)
    s = tl.load(sin + t * HALF + d)
    a = tl.load(base + d).to(tl.float32)
    b = tl.load(base + HALF + d).to(tl.float32)
    tl.store(base + d, (a * c - b * s).to(tl.float16))
    tl.store(base + HALF + d, (b * c + a * s).to(tl.float16))


@triton.jit
def to_int8_rows(x, q, scale, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < cols
    v = tl.load(x + r * cols + c, mask=m, other=0.0).to(tl.float32)
    s = tl.max(tl.abs(v), axis=0) / 127.0
    tl.store(scale + r, s)
    tl.store(q + r * cols + c, libdevice.rint(v / s).to(tl.int8), mask=m)


@triton.jit
def take_rows(table, index, out, dim, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    row = tl.load(index + r)
    for s in range(0, dim, BLOCK):
        c = s + tl.arange(0, BLOCK)
        tl.store(out + r * dim + c, tl.load(table + row * dim + c, mask=c < dim), mask=c < dim)


@triton.jit
def every_third(x, out, n, step, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(out + i, tl.load(x + i * step, mask=m), mask=m)


@triton.jit
def adam(w, g, mean, var, n, lr, b1, b2, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    d = tl.load(g + i, mask=m)
    u = b1 * tl.load(mean + i, mask=m) + (1 - b1) * d
    v = b2 * tl.load(var + i, mask=m) + (1 - b2) * d * d
    tl.store(mean + i, u, mask=m)
    tl.store(var + i, v, mask=m)
    tl.store(w + i, tl.load(w + i, mask=m) - lr * u / (tl.sqrt(v) + eps), mask=m)


@triton.jit
def softmax_looped(x, out, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    top = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for s in range(0, cols, BLOCK):
        c = s + tl.arange(0, BLOCK)
        v = tl.load(x + r * cols + c, mask=c < cols, other=-float("inf")).to(tl.float32)
        n = tl.maximum(top, v)
        total = total * tl.exp(top - n) + tl.exp(v - n)
        top = n
    peak = tl.max(top, axis=0)
    whole = tl.sum(total * tl.exp(top - peak), axis=0)
    for s in range(0, cols, BLOCK):
        c = s + tl.arange(0, BLOCK)
        v = tl.load(x + r * cols + c, mask=c < cols).to(tl.float32)
        tl.store(out + r * cols + c, (tl.exp(v - peak) / whole).to(tl.bfloat16), mask=c < cols)


@triton.jit
def norm_backward(dy, x, g, mean, rstd, dx, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < cols
    v = tl.load(x + r * cols + c, mask=m, other=0.0).to(tl.float32)
    d = tl.load(dy + r * cols + c, mask=m, other=0.0).to(tl.float32)
    w = tl.load(g + c, mask=m, other=0.0).to(tl.float32)
    rs = tl.load(rstd + r)
    h = (v - tl.load(mean + r)) * rs
    wd = w * d
    a = tl.sum(tl.where(m, h * wd, 0.0), axis=0) / cols
    b = tl.sum(tl.where(m, wd, 0.0), axis=0) / cols
    tl.store(dx + r * cols + c, ((wd - (h * a + b)) * rs).to(tl.float16), mask=m)


@triton.jit
def group_norm(x, out, size, eps, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    s1 = tl.zeros((BLOCK,), tl.float32)
    s2 = tl.zeros((BLOCK,), tl.float32)
    for s in range(0, size, BLOCK):
        v = tl.load(x + g * size + s + tl.arange(0, BLOCK))
        s1 += v
        s2 += v * v
    mu = tl.sum(s1, axis=0) / size
    rs = tl.rsqrt(tl.sum(s2, axis=0) / size - mu * mu + eps)
    for s in range(0, size, BLOCK):
        i = g * size + s + tl.arange(0, BLOCK)
        tl.store(out + i, (tl.load(x + i) - mu) * rs)


@triton.jit
def where_most(x, out, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=-float("inf"))
    tl.store(out + r, tl.argmax(v, axis=0))


@triton.jit
def running_sum(x, out, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(out + r * cols + c, tl.cumsum(tl.load(x + r * cols + c), axis=0))


@triton.jit
def nll_rows(logits, target, out, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    top = -float("inf")
    total = 0.0
    for s in range(0, cols, BLOCK):
        c = s + tl.arange(0, BLOCK)
        v = tl.load(logits + r * cols + c, mask=c < cols, other=-float("inf")).to(tl.float32)
        n = tl.maximum(top, tl.max(v, axis=0))
        total = total * tl.exp(top - n) + tl.sum(tl.exp(v - n), axis=0)
        top = n
    t = tl.load(target + r)
    picked = tl.load(logits + r * cols + t).to(tl.float32)
    tl.store(out + r, tl.log(total) + top - picked)


@triton.jit
def short_rows(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    m = (r[:, None] < rows) & (c[None, :] < cols)
    v = tl.load(x + r[:, None] * cols + c[None, :], mask=m, other=0.0)
    s = tl.sqrt(tl.sum(v * v, axis=1))
    tl.store(out + r[:, None] * cols + c[None, :], v / s[:, None], mask=m)


@triton.jit
def column_tiles(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    c = tl.program_id(0) * C + tl.arange(0, C)
    acc = tl.zeros((R, C), tl.float32)
    for s in range(0, rows, R):
        r = s + tl.arange(0, R)
        acc += tl.load(x + r[:, None] * cols + c[None, :])
    tl.store(out + c, tl.sum(acc, axis=0))


@triton.jit
def column_atomics(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    c = tl.program_id(0) * C + tl.arange(0, C)
    r = tl.program_id(1) * R + tl.arange(0, R)
    v = tl.load(x + r[:, None] * cols + c[None, :])
    tl.atomic_add(out + c, tl.sum(v, axis=0))


@triton.jit
def count_values(x, out, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = tl.histogram(tl.load(x + i), BINS)
    tl.atomic_add(out + tl.arange(0, BINS), h)


@triton.jit
def turn_tile(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    v = tl.load(x + r[:, None] * cols + c[None, :])
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v))


@triton.jit
def turn_plain(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    v = tl.load(x + r[:, None] * cols + c[None, :])
    tl.store(out + c[None, :] * rows + r[:, None], v)


@triton.jit
def sort_rows(x, out, cols: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, cols)
    tl.store(out + r * cols + c, tl.sort(tl.load(x + r * cols + c)))


@triton.jit
def _worse(a, b):
    return tl.maximum(a, b)


@triton.jit
def running_peak(x, out, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    v = tl.load(x + r[:, None] * cols + c[None, :])
    tl.store(out + r[:, None] * cols + c[None, :], tl.associative_scan(v, 1, _worse))


@triton.jit
def stencil5(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    p = x + r[:, None] * cols + c[None, :]
    inside = (r[:, None] > 0) & (r[:, None] < rows - 1) & (c[None, :] > 0) & (c[None, :] < cols - 1)
    v = tl.load(p, mask=inside, other=0.0)
    s = (tl.load(p - 1, mask=inside, other=0.0) + tl.load(p + 1, mask=inside, other=0.0)
         + tl.load(p - cols, mask=inside, other=0.0) + tl.load(p + cols, mask=inside, other=0.0))
    tl.store(out + r[:, None] * cols + c[None, :], 0.2 * (v + s), mask=inside)


@triton.jit
def few_programs(x, out, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), tl.float32)
    for s in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = s + tl.arange(0, BLOCK)
        acc += tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(acc, axis=0))


@triton.jit
def sparse_rows(start, column, value, x, out, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    lo = tl.load(start + r)
    hi = tl.load(start + r + 1)
    acc = tl.zeros((BLOCK,), tl.float32)
    for s in range(lo, hi, BLOCK):
        i = s + tl.arange(0, BLOCK)
        m = i < hi
        acc += tl.load(value + i, mask=m, other=0.0) * tl.load(x + tl.load(column + i, mask=m, other=0), mask=m, other=0.0)
    tl.store(out + r, tl.sum(acc, axis=0))


@triton.jit
def erf_chain(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m)
    tl.store(out + i, tl.erf(libdevice.tanh(v)) + libdevice.log1p(tl.abs(v)), mask=m)


@triton.jit
def pool2(x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    p = x + (2 * r[:, None]) * (2 * cols) + 2 * c[None, :]
    v = tl.maximum(tl.maximum(tl.load(p), tl.load(p + 1)),
                   tl.maximum(tl.load(p + 2 * cols), tl.load(p + 2 * cols + 1)))
    tl.store(out + r[:, None] * cols + c[None, :], v)


@triton.jit
def vector_times(a, x, out, rows, cols, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    acc = tl.zeros((R, C), tl.float32)
    for s in range(0, cols, C):
        c = s + tl.arange(0, C)
        acc += tl.load(a + r[:, None] * cols + c[None, :]).to(tl.float32) * tl.load(x + c)[None, :].to(tl.float32)
    tl.store(out + r, tl.sum(acc, axis=1))
