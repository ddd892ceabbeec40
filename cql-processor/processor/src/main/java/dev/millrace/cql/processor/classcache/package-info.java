/**
 * Caches the compiled classes of rules in files of the domain, so that a restarted instance does not compile the same
 * rules again.
 *
 * <pre>
 *   rule ──► Java text ──► FileClassCache ── file exists ──► class files                (deploying thread)
 *                             │         └─ none, or damaged ──► Janino ──► class files
 *                             └─ store, use ──► ClassDirectory: writes, renames, removes  (dedicated thread)
 * </pre>
 *
 * <p>The name of a file is a digest of everything that determines its content
 * ({@link dev.millrace.cql.processor.classcache.ClassKey}), so that another source text, build or Java version has
 * another file.
 *
 * <p>Callers: the activator creates and closes one; the compiler reads and stores classes, on the deploying thread.
 */
package dev.millrace.cql.processor.classcache;
