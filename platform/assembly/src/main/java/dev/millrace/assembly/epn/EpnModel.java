package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * All declarations in the assembly files of one application. The model is attached to the bean definitions, so that the
 * namespace handler, which Spring creates, can find it. Not thread-safe.
 */
public final class EpnModel
{
    /** Name of the bean definition that holds the model. */
    public static final String BEAN_NAME = "dev.millrace.assembly.model";

    private final Problems problems = new Problems();
    private final Map<String, SourcePosition> ids = new LinkedHashMap<>();
    private final Map<String, StageDeclaration> stages = new LinkedHashMap<>();
    private final Map<String, CacheDeclaration> caches = new LinkedHashMap<>();
    private final Map<String, CachingSystemDeclaration> cachingSystems = new LinkedHashMap<>();
    private final Map<String, TableDeclaration> tables = new LinkedHashMap<>();
    private final Map<String, CartridgeContext> cartridgeContexts = new LinkedHashMap<>();
    private final Map<String, EventTypeDeclaration> eventTypes = new LinkedHashMap<>();
    private final Set<String> plainBeans = new LinkedHashSet<>();
    private final Set<String> refusedIds = new HashSet<>();
    private final List<Placeholder> placeholders = new ArrayList<>();

    /**
     * A context of a cartridge: a link with parameters.
     *
     * @param id         name of the link
     * @param cartridge  name of the cartridge
     * @param parameters values by name
     * @param position   of the element
     */
    public record CartridgeContext(
        Located id, Located cartridge, Map<String, Located> parameters, SourcePosition position)
    {
    }

    private EpnModel()
    {
    }

    /** Creates a model and attaches it to the bean definitions of an application. */
    public static EpnModel attach(final BeanDefinitionRegistry registry)
    {
        final EpnModel model = new EpnModel();
        final RootBeanDefinition carrier = new RootBeanDefinition(Object.class, Object::new);
        carrier.setAttribute(BEAN_NAME, model);
        carrier.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        carrier.setAutowireCandidate(false);
        registry.registerBeanDefinition(BEAN_NAME, carrier);
        return model;
    }

    /** Finds the model of an application; {@code null} when the files were not read by the assembly reader. */
    public static EpnModel of(final BeanDefinitionRegistry registry)
    {
        return registry.containsBeanDefinition(BEAN_NAME) ?
            (EpnModel)registry.getBeanDefinition(BEAN_NAME).getAttribute(BEAN_NAME) : null;
    }

    /** The problems of the files. */
    public Problems problems()
    {
        return problems;
    }

    /** Registers an id; returns false and reports a problem if it was registered before. */
    public boolean claim(final String id, final SourcePosition position)
    {
        final SourcePosition before = ids.putIfAbsent(id, position);
        if (before != null)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, position, "the id is used twice, id=" + id + " first=" + before,
                "give one of them another id");
        }
        return before == null;
    }

    /** The stages by id, in order of the files. */
    public Map<String, StageDeclaration> stages()
    {
        return stages;
    }

    /** The caches by id. */
    public Map<String, CacheDeclaration> caches()
    {
        return caches;
    }

    /** The caching systems by id. */
    public Map<String, CachingSystemDeclaration> cachingSystems()
    {
        return cachingSystems;
    }

    /** The tables of databases by id. */
    public Map<String, TableDeclaration> tables()
    {
        return tables;
    }

    /** The contexts of cartridges by id. */
    public Map<String, CartridgeContext> cartridgeContexts()
    {
        return cartridgeContexts;
    }

    /** The event types by name. */
    public Map<String, EventTypeDeclaration> eventTypes()
    {
        return eventTypes;
    }

    /** Names of beans that are listeners or sources without being declared as stages, in order of first use. */
    public Set<String> plainBeans()
    {
        return plainBeans;
    }

    /** Ids of elements that were refused, so that references to them need no message. */
    Set<String> refusedIds()
    {
        return refusedIds;
    }

    /** Every value and text of the files that contains a placeholder, in order. */
    public List<Placeholder> placeholders()
    {
        return placeholders;
    }
}
