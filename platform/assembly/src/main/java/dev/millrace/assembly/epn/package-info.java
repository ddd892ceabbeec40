/**
 * The elements of assembly files: what may be written, and what was written.
 *
 * <pre>
 *   document ──VocabularyCheck──► problems
 *      └─Spring─► EpnNamespaceHandler ──parsers──► EpnModel (declarations) ──EpnCheck──► problems
 *                                          └──► bean definitions of adapters, event beans and nested beans
 * </pre>
 *
 * <p>Who may call: the entry points of {@code dev.millrace.assembly}; Spring calls the namespace handler. Not exported.
 * Threads: one application's files are read by one thread; the handler and the vocabularies are safe for all threads.
 */
package dev.millrace.assembly.epn;
