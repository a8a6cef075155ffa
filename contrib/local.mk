EXTRA_DIST += contrib/deps contrib/demo contrib/test contrib/ibaudit.conf.sample
