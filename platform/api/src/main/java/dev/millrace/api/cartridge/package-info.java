/**
 * Functions and types that are added to the rules of all applications: a cartridge. Rules call a function by the name
 * of a link, {@code name@link(arguments)}, and name a type as they name a Java class.
 *
 * <pre>
 *   Cartridge ──functions(parameters)──► CartridgeFunction, one per method
 *        │  the link with the name of the cartridge: no parameters
 *        └─ the link of a context that an application declares: with parameters
 * </pre>
 *
 * <p>A server finds cartridges as OSGi services of type {@link dev.millrace.api.cartridge.Cartridge} with the property
 * {@code type}, the names of its link in lower case; the command line and embedded networks find them by
 * {@link java.util.ServiceLoader}.
 *
 * <p>Callers: the deployment asks for links and functions, on its thread; compiled rules call the functions, on the
 * threads of the engine, several at a time.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.cartridge;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
