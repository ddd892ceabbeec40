/**
 * Secrets in files of a domain: strings that begin with {@code {AES}}, the file with their key, and the secrets that
 * adapters look up by name; the limit of failed logins.
 *
 * <p>Callers: the server when it reads {@code config.xml}, the command line when it encrypts, adapters when they start.
 * Threads: every object is thread-safe.
 */
@Export
@Version("1.2.0")
package dev.millrace.api.secret;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
