package dev.millrace.cluster.groups;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.NotificationGroup;
import dev.millrace.cluster.NotificationGroups;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Makes notification groups of those groups of the server whose names fit a pattern, as the bean of this name in
 * Oracle Event Processing does: members that have a group in common share its input, and know of each other.
 *
 * <pre>{@code
 *   <bean id="groups" class="dev.millrace.cluster.groups.ActiveActiveGroupBean">
 *     <property name="groupPattern" value="desk_\w+"/>
 *   </bean>
 * }</pre>
 *
 * <p>The bundle of the application imports {@code dev.millrace.cluster.groups}. On an instance that is in no cluster
 * there are no groups, and the log says so.
 *
 * <p>Safe for all threads once Spring has made it. The groups are left when the application stops.
 */
public final class ActiveActiveGroupBean implements InitializingBean, DisposableBean
{
    /** Which groups of the server are meant when nothing is said. */
    public static final String DEFAULT_GROUP_PATTERN = "ActiveActiveGroupBean_\\w+";

    private static final Logger LOG = LoggerFactory.getLogger(ActiveActiveGroupBean.class);

    private final List<NotificationGroup.Listener> listeners = new ArrayList<>();
    private String groupPattern = DEFAULT_GROUP_PATTERN;
    private Cluster cluster;
    private NotificationGroups notificationGroups;
    private volatile Map<String, NotificationGroup> groups = Map.of();

    /**
     * Says which groups of the server are meant.
     *
     * @param groupPattern regular expression that fits their whole names
     */
    public void setGroupPattern(final String groupPattern)
    {
        this.groupPattern = groupPattern;
    }

    /**
     * The expression.
     *
     * @return as set, or {@link #DEFAULT_GROUP_PATTERN}
     */
    public String getGroupPattern()
    {
        return groupPattern;
    }

    /**
     * Names beans that want to know who enters and leaves.
     *
     * @param listeners told of all groups
     */
    public void setListeners(final List<NotificationGroup.Listener> listeners)
    {
        this.listeners.clear();
        this.listeners.addAll(listeners);
    }

    /**
     * Gives it a cluster; without this it finds that of the instance.
     *
     * @param cluster            that this member is in
     * @param notificationGroups of the same
     */
    void use(final Cluster cluster, final NotificationGroups notificationGroups)
    {
        this.cluster = cluster;
        this.notificationGroups = notificationGroups;
    }

    /** Enters the groups. */
    @Override
    public void afterPropertiesSet()
    {
        final Matcher matcher = pattern().matcher("");
        if (cluster == null)
        {
            find();
        }
        if (cluster == null || notificationGroups == null)
        {
            LOG.info("CLU-0711 this instance is in no cluster, no notification groups are made, groupPattern={}",
                groupPattern);
            return;
        }
        final Map<String, NotificationGroup> made = new TreeMap<>();
        for (final String name : cluster.view().self().groups())
        {
            if (matcher.reset(name).matches())
            {
                final NotificationGroup group = notificationGroups.join(name);
                listeners.forEach(group::addListener);
                made.put(name, group);
            }
        }
        groups = Collections.unmodifiableMap(made);
        LOG.info("CLU-0710 notification groups of this member, groups={} groupPattern={} groups of the server={}",
            made.keySet(), groupPattern, cluster.view().self().groups());
    }

    private Pattern pattern()
    {
        try
        {
            return Pattern.compile(groupPattern);
        }
        catch (final PatternSyntaxException e)
        {
            throw new IllegalArgumentException("not a regular expression, groupPattern=" + groupPattern + " reason=" +
                e.getDescription() + "; the default is " + DEFAULT_GROUP_PATTERN, e);
        }
    }

    private void find()
    {
        final Bundle bundle = FrameworkUtil.getBundle(ActiveActiveGroupBean.class);
        if (bundle != null)
        {
            use(service(bundle.getBundleContext(), Cluster.class),
                service(bundle.getBundleContext(), NotificationGroups.class));
        }
    }

    private static <T> T service(final BundleContext context, final Class<T> type)
    {
        final ServiceReference<T> reference = context.getServiceReference(type);
        return reference == null ? null : context.getService(reference);
    }

    /**
     * The groups that were made.
     *
     * @return by name; empty when the instance is in no cluster, or none of its groups fits
     */
    public Map<String, NotificationGroup> getGroups()
    {
        return groups;
    }

    /**
     * Whether this member is the first of a group, the one that acts where only one may.
     *
     * @param group name
     * @return false also when there is no such group, or this member is fenced
     */
    public boolean isPrimary(final String group)
    {
        final NotificationGroup entered = groups.get(group);
        final List<Member> members = entered == null ? List.of() : entered.members();
        return !members.isEmpty() && members.get(0).id().equals(cluster.view().self().id()) && cluster.holdsLease();
    }

    /** Leaves the groups. */
    @Override
    public void destroy()
    {
        groups.values().forEach(NotificationGroup::close);
        groups = Map.of();
    }
}
