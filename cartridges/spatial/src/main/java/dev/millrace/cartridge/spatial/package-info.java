/**
 * Geometries in rules: the cartridge {@code spatial}.
 *
 * <pre>
 *   SpatialCartridge ──parameters──► SpatialContext ──► SpatialFunctions ──► Geometry
 *                                                            │ on the ellipsoid: Ellipsoid
 *                                                            └ arrays of element information: ElementArrays
 * </pre>
 *
 * <p>Callers: compiled rules, on the threads of the engine. Every class is immutable or stateless.
 */
package dev.millrace.cartridge.spatial;
