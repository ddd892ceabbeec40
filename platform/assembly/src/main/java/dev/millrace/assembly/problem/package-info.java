/**
 * Problems of files: collected and reported together, with code, position, source line and hint.
 *
 * <p>Callers: the assembly and the server, for every file that a user wrote. Threads: a
 * {@link dev.millrace.assembly.problem.Problems} is not thread-safe, everything else is.
 */
@Export
@Version("1.0.0")
package dev.millrace.assembly.problem;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
