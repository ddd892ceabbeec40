/**
 * Reads an application's assembly files and component configuration files and creates a network from them.
 *
 * <pre>
 *   META-INF/spring/*.xml ──AssemblyReader──► application context + declarations
 *   META-INF/wlevs/*.xml ──┐                        │
 *   PlatformServices ──────┴─ApplicationAssembler─► prepare, refresh, assemble ──► Network
 * </pre>
 *
 * <p>Contents: the entry points that the server calls. Callers: the server and tests; never applications. Threads: all
 * calls for one application are made on its deploying thread.
 */
@Export
@Version("1.0.0")
package dev.millrace.assembly;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
