EXTRA_DIST += contrib/bench contrib/deps contrib/demo contrib/fuzz \
	contrib/source contrib/test
dist_doc_DATA += contrib/ibaudit.conf.sample
