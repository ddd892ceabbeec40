/**
 * The difference of two versions of an application, as users read it before an update. A tool that the command line
 * finds by its name reads both versions and compares them; nothing of an application runs.
 */
package dev.millrace.network.difference;
