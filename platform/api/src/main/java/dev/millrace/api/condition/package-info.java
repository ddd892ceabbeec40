/**
 * The interface through which a stage reports that it cannot do its work at present. The platform shows such conditions
 * as causes of the state {@code DEGRADED} until the stage clears them.
 *
 * <p>Callers: stages, from any thread, when something changes; never per event.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.condition;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
