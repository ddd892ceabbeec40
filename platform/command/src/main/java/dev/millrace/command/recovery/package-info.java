/**
 * The study of {@code millrace bench recovery}: a server with a durable application is killed again and again under
 * load, and everything that its sink has stored is compared with a computation of the expected rows that shares no code
 * with the engine.
 */
package dev.millrace.command.recovery;
