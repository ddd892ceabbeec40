/**
 * Secrets in files of a domain: texts that begin with {@code {AES}}, and the file with the key to them.
 *
 * <p>Who may call: the server when it reads {@code config.xml}, the command line when it encrypts. Threads: every
 * object is immutable.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.secret;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
