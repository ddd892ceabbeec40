/**
 * XML that keeps its place: the one hardened way to read XML in the product, with file, line and column of every
 * element, attribute and text.
 *
 * <pre>
 *   bytes ──XmlScan (limits, no DOCTYPE, places)──► hardened parser ──► DOM with a SourceText behind each element
 * </pre>
 *
 * <p>Who may call: the assembly and the server; nobody else makes XML factories. Threads: documents belong to one
 * thread, everything else is safe for all threads. Nothing here opens a file or a connection.
 */
@Export
@Version("1.0.0")
package dev.millrace.assembly.xml;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
