/**
 * What several modules of the product share and applications do not use; it may change in any release.
 *
 * <p>Callers: messages and commands of the platform, adapters that read text. Threads: see each type.
 */
@Export(attribute = "x-internal:=true")
@Version("1.0.0")
package dev.millrace.api.internal;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
