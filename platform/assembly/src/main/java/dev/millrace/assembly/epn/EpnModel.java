package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * All that the assembly files of one application declare. It travels with the bean definitions it belongs to, so that
 * the namespace handler, which Spring makes, finds it. For one thread.
 */
public final class EpnModel
{
    /** Name of the bean definition that carries the model. */
    public static final String BEAN_NAME = "dev.millrace.assembly.model";

    private final Problems problems = new Problems();
    private final Map<String, SourcePosition> ids = new LinkedHashMap<>();
    private final Map<String, StageDeclaration> stages = new LinkedHashMap<>();
    private final Map<String, CacheDeclaration> caches = new LinkedHashMap<>();
    private final Map<String, CachingSystemDeclaration> cachingSystems = new LinkedHashMap<>();
    private final Map<String, TableDeclaration> tables = new LinkedHashMap<>();
    private final Map<String, EventTypeDeclaration> eventTypes = new LinkedHashMap<>();
    private final Set<String> plainBeans = new LinkedHashSet<>();
    private final List<Placeholder> placeholders = new ArrayList<>();

    private EpnModel()
    {
    }

    /**
     * Makes a model and hangs it on the bean definitions.
     *
     * @param registry bean definitions of the application
     * @return empty model
     */
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

    /**
     * Finds the model of an application.
     *
     * @param registry bean definitions of the application
     * @return model, or {@code null} when the files were not read by the assembly reader
     */
    public static EpnModel of(final BeanDefinitionRegistry registry)
    {
        return registry.containsBeanDefinition(BEAN_NAME) ?
            (EpnModel)registry.getBeanDefinition(BEAN_NAME).getAttribute(BEAN_NAME) : null;
    }

    /**
     * What is wrong with the files.
     *
     * @return collector
     */
    public Problems problems()
    {
        return problems;
    }

    /**
     * Takes an id, once.
     *
     * @param id       id
     * @param position where
     * @return false when it was taken before; that is noted
     */
    boolean claim(final String id, final SourcePosition position)
    {
        final SourcePosition before = ids.putIfAbsent(id, position);
        if (before != null)
        {
            problems.add(AssemblyCode.DUPLICATE, position, "the id is used twice, id=" + id + " first=" + before,
                "give one of them another id");
        }
        return before == null;
    }

    /**
     * The stages in order of the files.
     *
     * @return id to declaration
     */
    public Map<String, StageDeclaration> stages()
    {
        return stages;
    }

    /**
     * The caches.
     *
     * @return id to declaration
     */
    public Map<String, CacheDeclaration> caches()
    {
        return caches;
    }

    /**
     * The caching systems.
     *
     * @return id to declaration
     */
    public Map<String, CachingSystemDeclaration> cachingSystems()
    {
        return cachingSystems;
    }

    /**
     * The tables of databases.
     *
     * @return id to declaration
     */
    public Map<String, TableDeclaration> tables()
    {
        return tables;
    }

    /**
     * The event types.
     *
     * @return name to declaration
     */
    public Map<String, EventTypeDeclaration> eventTypes()
    {
        return eventTypes;
    }

    /**
     * Beans of the context that are listeners or sources without being declared as stages.
     *
     * @return bean names in order of first use
     */
    public Set<String> plainBeans()
    {
        return plainBeans;
    }

    /**
     * Every value and text of the files that holds a placeholder.
     *
     * @return in order
     */
    public List<Placeholder> placeholders()
    {
        return placeholders;
    }

    /**
     * Ids of the stages of a kind.
     *
     * @param kind kind
     * @return ids
     */
    public Collection<String> ids(final StageDeclaration.Kind kind)
    {
        return stages.values().stream().filter(stage -> stage.kind() == kind).map(StageDeclaration::id).toList();
    }
}
