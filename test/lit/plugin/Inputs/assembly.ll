target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; out[tid] = shuffled lower halves of in[tid] and its neighbour, to which they
; are added, by inline assembly as libraries have it.
define ptx_kernel void @assembly(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %tid to i64
  %from = getelementptr { i64, i64 }, ptr addrspace(1) %in, i64 %index
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %index
  %pair = call { i64, i64 } asm sideeffect "ld.global.nc.v2.u64 {$0, $1}, [$2+16];", "=l,=l,l"(ptr addrspace(1) %from)
  %wide = extractvalue { i64, i64 } %pair, 1
  %low = trunc i64 %wide to i32
  %moved = call i32 asm sideeffect "shfl.sync.down.b32 $0, $1, 1, 31, -1;", "=r,r"(i32 %low)
  call void asm sideeffect "st.relaxed.gpu.global.u32 [$0], $1;", "l,r"(ptr addrspace(1) %to, i32 %moved)
  %half2 = call i32 asm sideeffect "{ atom.add.noftz.f16x2 $0,[$1],$2; }\0A", "=r,l,r,~{memory}"(ptr addrspace(1) %to, i32 %moved)
  call void asm sideeffect "cp.async.cg.shared.global [$0+32], [$1], $2, 16;", "r,l,n"(i32 %tid, ptr addrspace(1) %from, i32 16)
  %row = call i32 asm sideeffect "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", "=r,r"(i32 %tid)
  %kept = call i32 asm "{ .reg .pred p; setp.ne.b32 p, $1, 0; @p add.u32 $0, $1, 1; }", "=r,r"(i32 %row)
  call void asm sideeffect "st.global.u32 [$0], $1;", "l,r"(ptr addrspace(1) %to, i32 %kept)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx80" }
