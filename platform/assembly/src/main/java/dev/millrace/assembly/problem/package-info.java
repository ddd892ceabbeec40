/**
 * How problems of files are told: collected and reported together, with code, place, source line and hint.
 *
 * <p>Who may call: the assembly and the server, for every file that a user wrote. Threads: a {@link
 * dev.millrace.assembly.problem.Problems} belongs to one thread, the rest is safe for all threads.
 */
@Export
@Version("1.0.0")
package dev.millrace.assembly.problem;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
