package dev.millrace.server.extender.context;

import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.ApplicationFrame;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.extender.bundle.AssemblyFiles;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import java.util.List;
import java.util.Properties;
import org.osgi.framework.Bundle;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.PropertiesPropertySource;

/** Reads the files of an application into its context. Confined to the application's thread. */
public final class ContextReader
{
    private final Bundle bundle;

    private final GenericApplicationContext context;

    private final NamespaceResolver namespaces;

    private final ApplicationAssembler assembler;

    public ContextReader(final Bundle bundle, final GenericApplicationContext context,
        final NamespaceResolver namespaces, final ApplicationAssembler assembler)
    {
        this.bundle = bundle;
        this.context = context;
        this.namespaces = namespaces;
        this.assembler = assembler;
    }

    /**
     * Reads all files.
     *
     * @return everything that was read, except rules
     */
    public ApplicationFrame read(final AssemblyFiles files, final List<ConfigurationResource> configuration,
        final Properties properties) throws DeploymentException
    {
        // System properties have priority, so that a start script can override the file.
        context.getEnvironment().getPropertySources().addLast(
            new PropertiesPropertySource(bundle.getSymbolicName() + ".properties", properties));
        final ApplicationFrame frame = ApplicationFrame.of(files.resources(bundle), configuration, properties);
        new AssemblyReader(context, namespaces, namespaces).read(files.resources(bundle));
        assembler.prepare(context, configuration);
        AssemblyReader.resolvePlaceholders(context);
        if (!context.containsBeanDefinition(AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME))
        {
            context.getBeanFactory().registerSingleton(
                AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME, new LazyMessageSource());
        }
        return frame;
    }
}
