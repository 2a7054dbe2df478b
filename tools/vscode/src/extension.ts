// The client of the language server in VS Code.
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

const section = 'gpu-occupancy';

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;

function program(): string {
  return vscode.workspace.getConfiguration(section).get('path', 'gpu-occupancy');
}

/** The settings of the server: all of the section but the path of the program. */
function serverSettings(): object {
  const all = vscode.workspace.getConfiguration(section);
  const names = ['device', 'devices', 'launches', 'compilerArguments', 'compilationDatabase',
    'warningGain', 'informationGain', 'codeLens', 'inlayHints'];
  return Object.fromEntries(names.map((name) => [name, all.get(name)]));
}

function showDevice(): void {
  const device = vscode.workspace.getConfiguration(section).get('device', '');
  status.text = `$(chip) ${device || 'GPU of the configuration'}`;
  status.show();
}

async function start(): Promise<void> {
  client = new LanguageClient(section, 'gpu-occupancy',
    { command: program(), args: ['lsp'] },
    {
      documentSelector: [
        { scheme: 'file', pattern: '**/*.{cu,cuh}' },
        { scheme: 'file', pattern: '**/.gpu-occupancy' },
        // Of these the server looks at device databases.
        { scheme: 'file', language: 'json' },
      ],
      initializationOptions: serverSettings(),
    });
  await client.start();
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

async function chooseDevice(): Promise<void> {
  const { stdout } = await promisify(execFile)(program(), ['device', 'list']);
  const rows = stdout.split('\n').map((line) => line.trim()).filter((line) => line);
  const chosen = await vscode.window.showQuickPick(rows, { title: 'Device' });
  if (chosen)
    await vscode.workspace.getConfiguration(section).update('device', chosen.split(/\s+/)[0]);
}

/** The summary of all kernels of the workspace, in a document. */
async function analyzeWorkspace(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!folder) {
    void vscode.window.showErrorMessage('gpu-occupancy: no folder is open');
    return;
  }
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'gpu-occupancy: analyzing' },
    async () => {
      const { stdout, stderr } = await promisify(execFile)(
        program(), ['analyze', folder], { maxBuffer: 1 << 28 });
      const document = await vscode.workspace.openTextDocument({ content: stdout + stderr });
      await vscode.window.showTextDocument(document);
    });
}

/** `action`, whose failure is shown. */
function command(name: string, action: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(`${section}.${name}`, async () => {
    try {
      await action();
    } catch (error) {
      void vscode.window.showErrorMessage(`gpu-occupancy: ${(error as Error).message}`);
    }
  });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.command = `${section}.chooseDevice`;
  status.tooltip = 'gpu-occupancy: the device that kernels are judged for';
  showDevice();
  context.subscriptions.push(
    status,
    command('restart', restart),
    command('chooseDevice', chooseDevice),
    command('analyzeWorkspace', analyzeWorkspace),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration(section))
        return;
      showDevice();
      if (event.affectsConfiguration(`${section}.path`))
        await restart();
      else
        await client?.sendNotification('workspace/didChangeConfiguration',
          { settings: { [section]: serverSettings() } });
    }));
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
