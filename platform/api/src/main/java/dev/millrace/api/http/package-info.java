/**
 * The HTTP servers for events and the servers of channels that {@code config.xml} declares, which adapters run and
 * share.
 *
 * <p>Callers: the server registers them as a service, adapters look them up. Threads: every object is immutable.
 */
@Export
@Version("1.1.0")
package dev.millrace.api.http;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
