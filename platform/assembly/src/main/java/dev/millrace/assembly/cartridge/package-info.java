/**
 * Contexts of cartridges that assembly files declare: links with parameters.
 *
 * <pre>
 *   spatial:context id="Metric" srid="8307" ──CartridgeContextHandler──► EpnModel ──CartridgeContexts──► CartridgeLink
 * </pre>
 *
 * <p>Callers: Spring reads the elements, {@code UserObjectFactory} creates the links. Threads: the deploying thread.
 */
package dev.millrace.assembly.cartridge;
