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
let panel: vscode.WebviewPanel | undefined;

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

interface Said {
  text: string;
  notes: string;
}

/** Runs the program. Its status is 1 where it has findings, 2 where only a part of its work was
 * done; what it has printed counts. */
async function run(words: string[]): Promise<Said> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program(), words, { maxBuffer: 1 << 28 });
    return { text: stdout, notes: stderr };
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (!stdout)
      throw new Error(stderr?.trim().split('\n').pop() || (error as Error).message);
    return { text: stdout, notes: stderr ?? '' };
  }
}

async function runWithProgress(title: string, words: string[]): Promise<Said> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `gpu-occupancy: ${title}` },
    () => run(words));
}

async function chooseDevice(): Promise<void> {
  const rows = (await run(['device', 'list'])).text.split('\n').map((line) => line.trim());
  const chosen = await vscode.window.showQuickPick(rows.filter((line) => line), { title: 'Device' });
  if (chosen)
    await vscode.workspace.getConfiguration(section).update('device', chosen.split(/\s+/)[0]);
}

function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!folder)
    throw new Error('no folder is open');
  return folder;
}

function deviceOptions(): string[] {
  const device = vscode.workspace.getConfiguration(section).get('device', '');
  return device ? [`--device=${device}`] : [];
}

async function showText(content: string, language: string): Promise<void> {
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language }));
}

/** The summary of all kernels of the workspace, in a document. */
async function analyzeWorkspace(): Promise<void> {
  const said = await runWithProgress('analyzing',
    ['analyze', workspaceFolder(), ...deviceOptions()]);
  await showText(said.text + said.notes, 'plaintext');
}

/** What got slower or faster since a branch, in a document. */
async function compareWithBranch(): Promise<void> {
  const folder = workspaceFolder();
  const branch = await vscode.window.showInputBox({
    title: 'Branch or commit to compare the files of the workspace with', value: 'main' });
  if (!branch)
    return;
  const said = await runWithProgress(`comparing with ${branch}`,
    ['check', folder, `--against=${branch}`, '--format=markdown', ...deviceOptions()]);
  await showText(said.text + said.notes, 'markdown');
}

interface PageKernel {
  line: number;
}

/** The index in `page` of the last kernel that begins in front of `line`. */
function kernelAt(page: string, line: number): number {
  const data = /<script type="application\/json" id="report">(.*?)<\/script>/s.exec(page);
  const kernels = data ? (JSON.parse(data[1]) as { kernels: PageKernel[] }).kernels : [];
  let best = 0;
  kernels.forEach((kernel, index) => {
    if (kernel.line <= line && (kernels[best].line > line || kernel.line > kernels[best].line))
      best = index;
  });
  return best;
}

/** The page of the kernel under the cursor, in a panel beside the source. */
async function showKernel(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor)
    throw new Error('no source is open');
  const file = editor.document.uri.fsPath;
  const line = editor.selection.active.line + 1;
  // The page is made of what is on the disk.
  await editor.document.save();
  const page = (await runWithProgress('analyzing',
    ['analyze', file, '--format=html', ...deviceOptions()])).text;
  panel ??= vscode.window.createWebviewPanel(`${section}.kernel`, 'Kernel',
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true });
  panel.onDidDispose(() => { panel = undefined; });
  panel.webview.html = page.replace('<head>',
    `<head><script>location.hash = '#${kernelAt(page, line)}';</script>`);
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
    command('compareWithBranch', compareWithBranch),
    command('showKernel', showKernel),
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
