/**
 * The elements of assembly files: the vocabulary, and the declarations of the files.
 *
 * <pre>
 *   document ──EpnSchemaCheck──► problems
 *      └─Spring─► EpnNamespaceHandler ──parsers──► EpnModel (declarations) ──EpnCheck──► problems
 *                                          └──► bean definitions of adapters, event beans and nested beans
 * </pre>
 *
 * <p>Callers: the entry points of {@code dev.millrace.assembly}; Spring calls the namespace handler. Not exported.
 * Threads: a single thread reads the files of an application; the handler and the vocabularies are thread-safe.
 */
package dev.millrace.assembly.epn;
