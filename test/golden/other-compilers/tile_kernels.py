"""Products of matrices, attention and convolutions in Triton."""
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, m, n, k, sam, sak, sbk, sbn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, HOW: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    kk = tl.arange(0, BK)
    pa = a + i[:, None] * sam + kk[None, :] * sak
    pb = b + kk[:, None] * sbk + j[None, :] * sbn
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(0, k, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc, input_precision=HOW)
        pa += BK * sak
        pb += BK * sbk
    tl.store(c + i[:, None] * n + j[None, :], acc.to(c.dtype.element_ty))


@triton.jit
def product_guarded(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    kk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(0, k, BK):
        u = tl.load(a + i[:, None] * k + (s + kk)[None, :], mask=(i[:, None] < m) & (s + kk[None, :] < k), other=0.0)
        v = tl.load(b + (s + kk)[:, None] * n + j[None, :], mask=(j[None, :] < n) & (s + kk[:, None] < k), other=0.0)
        acc = tl.dot(u, v, acc)
    tl.store(c + i[:, None] * n + j[None, :], acc.to(tl.bfloat16), mask=(i[:, None] < m) & (j[None, :] < n))


@triton.jit
def product_split(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    part = k // PARTS
    first = tl.program_id(2) * part
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(first, first + part, BK):
        kk = s + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + i[:, None] * k + kk[None, :]), tl.load(b + kk[:, None] * n + j[None, :]), acc)
    tl.atomic_add(c + i[:, None] * n + j[None, :], acc)


@triton.jit
def product_batched(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    z = tl.program_id(2).to(tl.int64)
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    m = tl.num_programs(0) * BM
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(0, k, BK):
        kk = s + tl.arange(0, BK)
        acc = tl.dot(tl.load(a + z * m * k + i[:, None] * k + kk[None, :]),
                     tl.load(b + z * k * n + kk[:, None] * n + j[None, :]), acc)
    tl.store(c + z * m * n + i[:, None] * n + j[None, :], acc.to(tl.float16))


@triton.jit
def product_tma(da, db, dc, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM
    j = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(0, k, BK):
        acc = tl.dot(da.load([i, s]), db.load([s, j]), acc)
    dc.store([i, j], acc.to(tl.float16))


@triton.jit
def product_resident(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SMS: tl.constexpr):
    tn = tl.cdiv(n, BN)
    tiles = tl.cdiv(m, BM) * tn
    kk = tl.arange(0, BK)
    for t in range(tl.program_id(0), tiles, SMS):
        i = (t // tn) * BM + tl.arange(0, BM)
        j = (t % tn) * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for s in range(0, k, BK):
            acc = tl.dot(tl.load(a + i[:, None] * k + (s + kk)[None, :]), tl.load(b + (s + kk)[:, None] * n + j[None, :]), acc)
        tl.store(c + i[:, None] * n + j[None, :], acc.to(tl.float16))


@triton.jit
def product_int8(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.int32)
    for s in range(0, k, BK):
        kk = s + tl.arange(0, BK)
        acc += tl.dot(tl.load(a + i[:, None] * k + kk[None, :]), tl.load(b + j[None, :] * k + kk[:, None]))
    tl.store(c + i[:, None] * n + j[None, :], acc)


@triton.jit
def product_unpack8(a, b, scale, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(0, k, BK):
        kk = s + tl.arange(0, BK)
        w = tl.load(b + kk[:, None] * n + j[None, :]).to(tl.float16)
        acc = tl.dot(tl.load(a + i[:, None] * k + kk[None, :]), w, acc)
    acc = acc * tl.load(scale + j)[None, :]
    tl.store(c + i[:, None] * n + j[None, :], acc.to(tl.float16))


@triton.jit
def product_bias(a, b, bias, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    kk = tl.arange(0, BK)
    pa = a + i[:, None] * k + kk[None, :]
    pb = b + kk[:, None] * n + j[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for s in range(0, k, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * n
    v = acc + tl.load(bias + j)[None, :].to(tl.float32)
    v = 0.5 * v * (1 + tl.erf(v * 0.70710678))
    tl.store(c + i[:, None] * n + j[None, :], v.to(tl.float16))


@triton.jit
def attend(q, k, v, out, length, scale, D: tl.constexpr, BQ: tl.constexpr, BKV: tl.constexpr, MASKED: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * length * D
    i = tl.program_id(0) * BQ + tl.arange(0, BQ)
    d = tl.arange(0, D)
    qq = tl.load(q + head + i[:, None] * D + d[None, :])
    acc = tl.zeros((BQ, D), tl.float32)
    top = tl.full((BQ,), -float("inf"), tl.float32)
    den = tl.zeros((BQ,), tl.float32)
    last = length
    if MASKED:
        last = (tl.program_id(0) + 1) * BQ
    for s in range(0, last, BKV):
        j = s + tl.arange(0, BKV)
        kk = tl.load(k + head + j[None, :] * D + d[:, None])
        w = tl.dot(qq, kk) * scale
        if MASKED:
            w = tl.where(i[:, None] >= j[None, :], w, -float("inf"))
        n = tl.maximum(top, tl.max(w, axis=1))
        p = tl.exp2(w - n[:, None])
        f = tl.exp2(top - n)
        den = den * f + tl.sum(p, axis=1)
        vv = tl.load(v + head + j[:, None] * D + d[None, :])
        acc = tl.dot(p.to(tl.float16), vv, acc * f[:, None])
        top = n
    tl.store(out + head + i[:, None] * D + d[None, :], (acc / den[:, None]).to(tl.float16))


@triton.jit
def attend_one(q, k, v, out, length, scale, D: tl.constexpr, BKV: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    d = tl.arange(0, D)
    qq = tl.load(q + head * D + d).to(tl.float32)
    acc = tl.zeros((D,), tl.float32)
    top = -float("inf")
    den = 0.0
    for s in range(0, length, BKV):
        j = s + tl.arange(0, BKV)
        kk = tl.load(k + head * length * D + j[:, None] * D + d[None, :]).to(tl.float32)
        w = tl.sum(kk * qq[None, :], axis=1) * scale
        n = tl.maximum(top, tl.max(w, axis=0))
        p = tl.exp(w - n)
        f = tl.exp(top - n)
        vv = tl.load(v + head * length * D + j[:, None] * D + d[None, :]).to(tl.float32)
        acc = acc * f + tl.sum(p[:, None] * vv, axis=0)
        den = den * f + tl.sum(p, axis=0)
        top = n
    tl.store(out + head * D + d, (acc / den).to(tl.float16))


@triton.jit
def carried_state(q, k, v, out, length, D: tl.constexpr, C: tl.constexpr):
    head = tl.program_id(0).to(tl.int64) * length * D
    d = tl.arange(0, D)
    c = tl.arange(0, C)
    state = tl.zeros((D, D), tl.float32)
    for s in range(0, length, C):
        p = head + (s + c[:, None]) * D + d[None, :]
        qq = tl.load(q + p)
        kk = tl.load(k + p)
        vv = tl.load(v + p)
        w = tl.dot(qq, tl.trans(kk))
        w = tl.where(c[:, None] >= c[None, :], w, 0.0)
        o = tl.dot(w.to(tl.float16), vv) + tl.dot(qq, state.to(tl.float16))
        state += tl.dot(tl.trans(kk), vv)
        tl.store(out + p, o.to(tl.float16))


@triton.jit
def convolve3(x, w, out, H, W, CIN, COUT, BP: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    y = p // W
    z = p % W
    acc = tl.zeros((BP, BN), tl.float32)
    for t in range(9):
        yy = y + t // 3 - 1
        zz = z + t % 3 - 1
        ok = (yy >= 0) & (yy < H) & (zz >= 0) & (zz < W)
        for s in range(0, CIN, BK):
            kk = s + tl.arange(0, BK)
            u = tl.load(x + (yy * W + zz)[:, None] * CIN + kk[None, :], mask=ok[:, None], other=0.0)
            v = tl.load(w + (t * CIN + kk)[:, None] * COUT + j[None, :])
            acc = tl.dot(u, v, acc)
    tl.store(out + p[:, None] * COUT + j[None, :], acc.to(tl.float16))


@triton.jit
def convolve_depth(x, w, out, H, W, BP: tl.constexpr):
    ch = tl.program_id(1)
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    y = p // W
    z = p % W
    acc = tl.zeros((BP,), tl.float32)
    for t in tl.static_range(9):
        yy = y + t // 3 - 1
        zz = z + t % 3 - 1
        ok = (yy >= 0) & (yy < H) & (zz >= 0) & (zz < W)
        acc += tl.load(x + ch * H * W + yy * W + zz, mask=ok, other=0.0) * tl.load(w + ch * 9 + t)
    tl.store(out + ch * H * W + p, acc)
