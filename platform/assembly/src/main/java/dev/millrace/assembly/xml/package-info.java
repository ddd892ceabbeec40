/**
 * XML with positions: the only, hardened way to read XML in the product, with file, line and column of every element,
 * attribute and text.
 *
 * <pre>
 *   bytes ──XmlScan (limits, no DOCTYPE, positions)──► hardened parser ──► DOM with a SourceText per element
 * </pre>
 *
 * <p>Callers: the assembly and the server; no other code creates XML factories. Threads: documents are not thread-safe,
 * everything else is. No code in this package opens a file or a connection.
 */
@Export
@Version("1.0.0")
package dev.millrace.assembly.xml;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
