/**
 * Runs applications over files without a server: {@code millrace app run}. The engine is in another module and is found
 * by the name of its class.
 */
package dev.millrace.command.run;
