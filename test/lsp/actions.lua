-- What Neovim does in test/lsp/neovim.py: opens a file, waits for diagnostics,
-- applies the action that pads the rows of a shared array, saves, and waits
-- until the diagnostic is gone. Written for Neovim 0.7 and later.
--
-- Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

local limit_ms = 120 * 1000

local function finish(status, words)
  io.stdout:write(words .. '\n')
  vim.cmd(status == 0 and 'qall!' or 'cquit!')
end

local function codes()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local lsp = diagnostic.user_data and diagnostic.user_data.lsp
    table.insert(found, diagnostic.code or (lsp and lsp.code) or diagnostic.message)
  end
  table.sort(found)
  return table.concat(found, ' ')
end

local function wait_for(words)
  if not vim.wait(limit_ms, function() return codes() == words end, 50) then
    finish(1, 'expected "' .. words .. '", got "' .. codes() .. '"')
  end
  io.stdout:write('diagnostics: ' .. words .. '\n')
end

local client = vim.lsp.start_client({
  name = 'gpu-occupancy',
  cmd = { vim.env.GPUOCC_TOOL, 'lsp' },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(0, client)
wait_for('BankConflict UncoalescedAccess')

local line, column
for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
  if diagnostic.message:find('bank conflict') then
    line, column = diagnostic.lnum, diagnostic.col
  end
end
vim.api.nvim_win_set_cursor(0, { line + 1, column })
local parameters = vim.lsp.util.make_range_params()
parameters.context = { diagnostics = {} }
local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', parameters, limit_ms)
local action
for _, each in ipairs(answer and answer[client] and answer[client].result or {}) do
  io.stdout:write('action: ' .. each.title .. '\n')
  if each.title:find('pad the rows') then
    action = each
  end
end
if not action then
  finish(1, 'no action pads the rows: ' .. vim.inspect(answer))
end
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
vim.cmd('write')
wait_for('UncoalescedAccess')
finish(0, 'done')
