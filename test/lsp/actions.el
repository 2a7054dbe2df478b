;;; actions.el --- What Emacs does in test/lsp/emacs.py  -*- lexical-binding: t -*-
;;
;; Opens a file, waits for diagnostics, applies the action that pads the rows of
;; a shared array, saves, and waits until the diagnostic is gone. Written for
;; Eglot 1.9 and later.
;;
;; Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

(package-initialize)
(require 'eglot)
(require 'flymake)

(defconst limit-seconds 120)

(defun codes ()
  "The rules of the diagnostics that Flymake shows, sorted, in one string."
  (let (found)
    (dolist (diagnostic (flymake-diagnostics))
      (when (string-match "\\[\\([A-Za-z]+\\)\\]" (flymake-diagnostic-text diagnostic))
        (push (match-string 1 (flymake-diagnostic-text diagnostic)) found)))
    (mapconcat #'identity (sort found #'string<) " ")))

(defun wait-for (words)
  "Wait until the rules shown are WORDS."
  (let ((end (+ (float-time) limit-seconds)))
    (while (and (not (equal (codes) words)) (< (float-time) end))
      (accept-process-output nil 0.2)
      (flymake-start))
    (unless (equal (codes) words)
      (error "Expected %S, got %S" words (codes)))
    (message "diagnostics: %s" words)))

(defun action-that-pads ()
  "The code action that pads rows, of those at the bank conflict."
  (dolist (diagnostic (flymake-diagnostics))
    (when (string-match "BankConflict" (flymake-diagnostic-text diagnostic))
      (goto-char (flymake-diagnostic-beg diagnostic))))
  (seq-find (lambda (action) (string-match "pad the rows" (plist-get action :title)))
            (jsonrpc-request
             (eglot-current-server) :textDocument/codeAction
             (list :textDocument (eglot--TextDocumentIdentifier)
                   :range (list :start (eglot--pos-to-lsp-position)
                                :end (eglot--pos-to-lsp-position))
                   :context '(:diagnostics []))
             :timeout limit-seconds)))

(define-derived-mode cuda-mode c++-mode "CUDA")
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . cuda-mode))
(add-to-list 'eglot-server-programs
             `(cuda-mode . (,(getenv "GPUOCC_TOOL") "lsp")))
(setq eglot-sync-connect 30
      eglot-confirm-server-initiated-edits nil)

(find-file (getenv "GPUOCC_SOURCE"))
(call-interactively #'eglot)
(wait-for "BankConflict UncoalescedAccess")
(let ((action (action-that-pads)))
  (message "action: %s" (plist-get action :title))
  (eglot--apply-workspace-edit (plist-get action :edit)))
(save-buffer)
(wait-for "UncoalescedAccess")
(message "done")
