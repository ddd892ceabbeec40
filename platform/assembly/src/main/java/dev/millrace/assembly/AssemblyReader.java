package dev.millrace.assembly;

import dev.millrace.assembly.epn.AssemblyDocumentReader;
import dev.millrace.assembly.epn.EpnCheck;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.config.PropertyResourceConfigurer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.xml.DefaultNamespaceHandlerResolver;
import org.springframework.beans.factory.xml.NamespaceHandler;
import org.springframework.beans.factory.xml.NamespaceHandlerResolver;
import org.springframework.beans.factory.xml.PluggableSchemaResolver;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.io.AbstractResource;
import org.xml.sax.EntityResolver;

/**
 * Reads the assembly files of one application into its application context. Documents are parsed hardened and offline;
 * all problems of all files are reported together, with file, line and column.
 *
 * <p>Confined to the deploying thread; used once.
 */
public final class AssemblyReader
{
    private final GenericApplicationContext context;
    private final NamespaceHandlerResolver namespaces;
    private final EntityResolver entities;

    /**
     * Creates a reader.
     *
     * @param context    receives the bean definitions; not refreshed yet
     * @param namespaces finds the handler of a namespace; returns {@code null} for unknown ones
     * @param entities   finds schemas by system id, offline
     */
    public AssemblyReader(final GenericApplicationContext context, final NamespaceHandlerResolver namespaces,
        final EntityResolver entities)
    {
        this.context = Objects.requireNonNull(context, "context");
        this.namespaces = Objects.requireNonNull(namespaces, "namespaces");
        this.entities = Objects.requireNonNull(entities, "entities");
    }

    /**
     * Creates a reader that finds handlers and schemas on a class path; for tests and programs outside the server.
     *
     * @param context     receives the bean definitions; not refreshed yet
     * @param classLoader class loader with {@code META-INF/spring.handlers} and {@code META-INF/spring.schemas}
     * @return reader
     */
    public static AssemblyReader onClassPath(final GenericApplicationContext context, final ClassLoader classLoader)
    {
        return new AssemblyReader(context, new DefaultNamespaceHandlerResolver(classLoader),
            new PluggableSchemaResolver(classLoader));
    }

    /**
     * Creates a reader for programs outside of a server, which also accepts elements of namespaces that only a server
     * knows.
     *
     * @param context        receives the bean definitions; not refreshed yet
     * @param classLoader    class loader with {@code META-INF/spring.handlers} and {@code META-INF/spring.schemas}
     * @param serverElements reads these elements
     * @return reader
     */
    public static AssemblyReader onClassPath(final GenericApplicationContext context, final ClassLoader classLoader,
        final ServerElements serverElements)
    {
        final NamespaceHandlerResolver known = new DefaultNamespaceHandlerResolver(classLoader);
        return new AssemblyReader(context, uri ->
        {
            final NamespaceHandler handler = known.resolve(uri);
            return handler == null ? serverElements : handler;
        }, new PluggableSchemaResolver(classLoader));
    }

    /**
     * Lets the environment of a context resolve placeholders, unless the application declares a bean that does it.
     *
     * @param context prepared, not refreshed yet
     */
    public static void resolvePlaceholders(final GenericApplicationContext context)
    {
        if (context.getBeanFactory().getBeanNamesForType(PropertyResourceConfigurer.class, false, false).length == 0)
        {
            final PropertySourcesPlaceholderConfigurer configurer = new PropertySourcesPlaceholderConfigurer();
            configurer.setEnvironment(context.getEnvironment());
            context.addBeanFactoryPostProcessor(configurer);
        }
    }

    /**
     * Reads all assembly files of the application; they may refer to each other.
     *
     * @param files in order of their names
     * @throws DeploymentException with every problem that can be found in the files alone
     */
    public void read(final List<ConfigurationResource> files) throws DeploymentException
    {
        final DefaultListableBeanFactory beans = context.getDefaultListableBeanFactory();
        final EpnModel model = EpnModel.attach(context);
        final boolean overriding = beans.isAllowBeanDefinitionOverriding();
        beans.setAllowBeanDefinitionOverriding(false);
        try
        {
            new AssemblyDocumentReader(context, namespaces, entities, model)
                .readAll(files.stream().map(NamedResource::new).toList());
        }
        finally
        {
            beans.setAllowBeanDefinitionOverriding(overriding);
        }
        new EpnCheck(model, beans).check();
        model.problems().throwIfAny();
    }

    /** A file of an application as a resource of Spring; relative resources are not supported. */
    private static final class NamedResource extends AbstractResource
    {
        private final ConfigurationResource file;

        NamedResource(final ConfigurationResource file)
        {
            this.file = file;
        }

        @Override
        public String getDescription()
        {
            return file.name();
        }

        @Override
        public InputStream getInputStream() throws IOException
        {
            return file.content().getInputStream();
        }
    }
}
