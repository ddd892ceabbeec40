/**
 * The definition of an event processing network as plain immutable records: the assembly creates them, the network runs
 * them.
 *
 * <p>Callers: the assembly and tests create definitions, the network and processor providers read them. Threads: all
 * records are immutable.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.definition;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
