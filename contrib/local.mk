EXTRA_DIST += contrib/deps contrib/demo contrib/test
dist_doc_DATA += contrib/ibaudit.conf.sample
