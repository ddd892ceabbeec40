/**
 * Applications of a server in any Java process: their assembly files, configuration and classes, without OSGi. Tests of
 * applications and {@code millrace app run} use it.
 *
 * <pre>
 *  files ─► ApplicationBuilder ─► context of Spring ─► definition ─► BoundaryStages ─► Network
 *               │ BeanReplacements: objects for beans       │ ReplacedStage for adapters of providers
 *               │ EmbeddedPlatform: services of a server    └─► RowFeed above, RowObserver below
 *               ▼
 *        EmbeddedApplication
 * </pre>
 *
 * <p>Needs {@code millrace-assembly} and Spring on the class path; the rest of the module does not. Threads: rows are
 * processed by the thread that sends them.
 */
package dev.millrace.embedded.application;
