/**
 * Tests of applications without a server: an extension of JUnit starts the network of an application from its real
 * files, the test sends rows and advances the time, and expects rows.
 *
 * <pre>
 *   MillraceTest ─► ApplicationUnderTest ─► ClassPathFiles: assembly and configuration
 *                                             │  └─► EmbeddedApplication
 *                                             ▼
 *        Row ─► RowExpectation ◄─ ReceivedRows ◄─ RowRecorder
 *                    └─► RowAlignment ─► RowTable: the message of a failure
 * </pre>
 *
 * <p>Callers: tests. Threads: the thread of the test, unless a bean of the application has its own.
 */
package dev.millrace.test;
