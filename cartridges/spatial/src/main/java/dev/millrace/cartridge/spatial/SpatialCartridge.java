package dev.millrace.cartridge.spatial;

import dev.millrace.api.cartridge.Cartridge;
import dev.millrace.api.cartridge.CartridgeFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cartridge {@code spatial}: functions over geometries, and the type {@link Geometry}. Immutable. */
public final class SpatialCartridge implements Cartridge
{
    /** Class name in the rules of Oracle Event Processing. */
    private static final String ORACLE_GEOMETRY = "com.oracle.cep.cartridge.spatial.Geometry";

    private static final Map<String, Class<?>> TYPES =
        Map.of(Geometry.class.getName(), Geometry.class, ORACLE_GEOMETRY, Geometry.class);

    /** Functions that are false for geometries farther apart than their tolerance. */
    private static final Set<String> PREDICATES =
        Set.of("contain", "inside", "anyInteract", "withinDistance", "nn", "filter");
    /** Names in rules that differ from those of methods. */
    private static final Map<String, String> UNDERSCORES =
        Map.of("toGeometry", "to_Geometry", "toJGeometry", "to_JGeometry");

    /** Creates the cartridge; {@link java.util.ServiceLoader} calls this. */
    public SpatialCartridge()
    {
        // No state.
    }

    @Override
    public String name()
    {
        return "spatial";
    }

    /** Identifiers of the cartridge in manuals of Oracle Event Processing; one of them is misspelled there. */
    @Override
    public Collection<String> aliases()
    {
        return List.of("com.oracle.cep.cartridge.spatial", "com.oracle.cep.cartrdiges.spatial");
    }

    /** All names of the link, in lower case. */
    String[] linkNames()
    {
        final List<String> names = new ArrayList<>(List.of(name()));
        names.addAll(aliases());
        return names.toArray(new String[0]);
    }

    @Override
    public Set<String> parameters()
    {
        return SpatialContext.PARAMETERS;
    }

    @Override
    public List<CartridgeFunction> functions(final Map<String, String> parameters)
    {
        final SpatialContext context = SpatialContext.of(parameters);
        return CartridgeFunction.ofObject(new SpatialFunctions(context)).stream()
            .map(function -> function.named(UNDERSCORES.getOrDefault(function.name(), function.name())))
            .map(function -> PREDICATES.contains(function.name()) ? function.indexed(new GeometryBoxes(
                function.name().equals("anyInteract") ? context.interactTolerance() : context.tolerance(),
                context.ellipsoid())) : function).toList();
    }

    @Override
    public Map<String, Class<?>> types()
    {
        return TYPES;
    }
}
