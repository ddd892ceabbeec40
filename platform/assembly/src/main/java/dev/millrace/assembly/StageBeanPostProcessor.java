package dev.millrace.assembly;

import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/** Completes the bean definitions of adapters and event beans: looks up providers and classes. */
final class StageBeanPostProcessor
{
    private final GenericApplicationContext context;
    private final PlatformServices services;
    private final EpnModel model;
    private final EventTypesBuilder classes;

    StageBeanPostProcessor(final GenericApplicationContext context, final PlatformServices services,
        final EpnModel model,
        final EventTypesBuilder classes)
    {
        this.context = context;
        this.services = services;
        this.model = model;
        this.classes = classes;
    }

    void complete()
    {
        for (final StageDeclaration stage : model.stages().values())
        {
            final Located provider = stage.setting("provider");
            final Located beanClass = stage.setting("class");
            if (stage.kind() == Kind.PROCESSOR)
            {
                processor(provider);
            }
            else if (stage.kind() == Kind.ADAPTER || stage.kind() == Kind.EVENT_BEAN)
            {
                if (provider != null)
                {
                    provided(stage, provider);
                }
                else if (beanClass != null && !beanClass.hasPlaceholder())
                {
                    classes.loadClass(beanClass, stage.kind().elementName() + "=" + stage.id());
                }
            }
        }
    }

    private void processor(final Located provider)
    {
        if (provider == null || provider.hasPlaceholder() || services.processorProvider(provider.value()) != null)
        {
            return;
        }
        if (provider.value().equals("epl"))
        {
            model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, provider.position(),
                "processors of the old language EPL are not available, provider=epl",
                "rewrite the rules in CQL and remove the attribute");
            return;
        }
        unknown("processor", provider, List.of("cql"));
    }

    private void provided(final StageDeclaration stage, final Located provider)
    {
        final Supplier<Object> supplier = () -> create(stage.kind(), provider);
        if (!provider.hasPlaceholder() && factory(stage.kind(), provider.value()) == null)
        {
            unknown(stage.kind().elementName(), provider, providers(stage.kind()));
        }
        else
        {
            ((AbstractBeanDefinition)context.getBeanDefinition(stage.id())).setInstanceSupplier(supplier);
        }
    }

    private Collection<String> providers(final Kind kind)
    {
        return kind == Kind.ADAPTER ? services.adapterProviders() : services.eventBeanProviders();
    }

    private void unknown(final String what, final Located provider, final Collection<String> known)
    {
        model.problems().add(AssemblyErrorCode.UNKNOWN_PROVIDER, provider.position(),
            "the server has no such " + what + " provider, provider=" + provider.value(), known.isEmpty() ?
                "correct the name or install the bundle that contains the provider" :
                Suggestions.hint(provider.value(), "providers", known));
    }

    private Supplier<?> factory(final Kind kind, final String provider)
    {
        if (kind == Kind.ADAPTER)
        {
            final AdapterFactory factory = services.adapterFactory(provider);
            return factory == null ? null : factory::create;
        }
        final EventBeanFactory factory = services.eventBeanFactory(provider);
        return factory == null ? null : factory::create;
    }

    private Object create(final Kind kind, final Located provider)
    {
        final String name = context.getBeanFactory().resolveEmbeddedValue(provider.value());
        final Supplier<?> factory = factory(kind, name);
        if (factory == null)
        {
            throw new IllegalStateException(
                "the server has no such " + kind.elementName() + " provider, provider=" + name);
        }
        return factory.get();
    }
}
