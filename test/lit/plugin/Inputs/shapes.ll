target triple = "nvptx64-nvidia-cuda"

%large = type { [64 x i32], ptr, double }
@table = addrspace(1) global [2 x ptr] [ptr @one, ptr @two]

define ptx_kernel void @empty() #0 {
  ret void
}

define ptx_kernel void @unreachable(ptr %p) #0 {
  unreachable
}

define ptx_kernel void @forever(ptr addrspace(1) %p) #0 {
  br label %loop
loop:
  store volatile i32 1, ptr addrspace(1) %p
  br label %loop
}

; Two blocks that jump to each other and are both entered from outside.
define ptx_kernel void @irreducible(ptr addrspace(1) %p, i1 %c, i32 %n) #0 {
entry:
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ 0, %entry ], [ %y.next, %b ]
  %x.next = add i32 %x, 1
  store volatile i32 %x.next, ptr addrspace(1) %p
  %x.stays = icmp ult i32 %x.next, %n
  br i1 %x.stays, label %b, label %exit
b:
  %y = phi i32 [ 5, %entry ], [ %x.next, %a ]
  %y.next = add i32 %y, 3
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %y.next
  store volatile i32 %y.next, ptr addrspace(1) %q
  %y.stays = icmp ult i32 %y.next, %n
  br i1 %y.stays, label %a, label %exit
exit:
  ret void
}

define void @down(ptr %p, i32 %n) #0 {
  %last = icmp eq i32 %n, 0
  br i1 %last, label %exit, label %more
more:
  store volatile i32 %n, ptr %p
  %m = sub i32 %n, 1
  call void @down(ptr %p, i32 %m)
  store volatile i32 %m, ptr %p
  br label %exit
exit:
  ret void
}

define ptx_kernel void @recursive(ptr %p, i32 %n) #0 {
  call void @down(ptr %p, i32 %n)
  ret void
}

define void @one(ptr %p) #0 {
  store i32 1, ptr %p
  ret void
}

define void @two(ptr %p) #0 {
  store i32 2, ptr %p
  ret void
}

define ptx_kernel void @indirect(ptr %p, i32 %i) #0 {
  %entry = getelementptr [2 x ptr], ptr addrspace(1) @table, i32 0, i32 %i
  %f = load ptr, ptr addrspace(1) %entry
  call void %f(ptr %p)
  ret void
}

define ptx_kernel void @structure(ptr byval(%large) align 8 %s, i32 %i, ptr addrspace(1) %p) #0 {
  %q = getelementptr %large, ptr %s, i32 0, i32 0, i32 %i
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @assembly(ptr addrspace(1) %p) #0 {
  %v = call i32 asm sideeffect "mov.u32 $0, %tid.x;", "=r"()
  %w = call { i32, i32 } asm "mad.lo.u32 $0, $2, $3, $2; add.u32 $1, $2, 1;", "=r,=r,r,r"(i32 %v, i32 7)
  %x = extractvalue { i32, i32 } %w, 0
  store i32 %x, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx80" }
