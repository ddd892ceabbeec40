/**
 * Keeps what was compiled of rules in files of the domain, so that an instance that is started again does not compile
 * the same rules again.
 *
 * <pre>
 *   rule ──► Java text ──► GeneratedClasses ── there is a file ──► class files            (deploying thread)
 *                             │         └─ none, or damaged ──► Janino ──► class files
 *                             └─ keep, use ──► ClassDirectory: writes, renames, removes   (a thread of its own)
 * </pre>
 *
 * <p>The name of a file is a digest of all that its content follows from ({@link
 * dev.millrace.cql.processor.generated.ClassKey}), so that another text, another build or another Java finds nothing.
 *
 * <p>Who may call: the activator makes and closes one; the compiler asks it, on the deploying thread.
 */
package dev.millrace.cql.processor.generated;
