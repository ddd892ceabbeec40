/**
 * Reads an application's assembly files and component configuration files and makes a network of them.
 *
 * <pre>
 *   META-INF/spring/*.xml ──AssemblyReader──► application context + declarations
 *   META-INF/wlevs/*.xml ──┐                        │
 *   PlatformServices ──────┴─ApplicationAssembler─► prepare, refresh, assemble ──► Network
 * </pre>
 *
 * <p>Who lives here: the entry points that the server calls. Who may call: the server and tests; applications never.
 * Threads: all calls for one application come on its deploying thread.
 */
@Export
@Version("1.0.0")
package dev.millrace.assembly;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
