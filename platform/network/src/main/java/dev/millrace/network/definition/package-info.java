/**
 * What an event processing network is made of, as plain immutable records: the assembly writes them, the network
 * runs them.
 *
 * <p>Who may call: the assembly and tests make definitions, the network and processor providers read them. Threads:
 * all records are immutable.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.definition;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
